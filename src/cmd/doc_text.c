// Documentation comments as HTML.
#include "doc.h"
#include <string.h>

void html_escape(Text *out, const char *s, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (s[i] == '<') text_puts(out, "&lt;");
    else if (s[i] == '>') text_puts(out, "&gt;");
    else if (s[i] == '&') text_puts(out, "&amp;");
    else if (s[i] == '"') text_puts(out, "&quot;");
    else if ((unsigned char)s[i] >= ' ' || s[i] == '\n' || s[i] == '\t') text_putc(out, s[i]);
  }
}

static void inline_html(Text *out, const char *s, size_t len) {
  while (len > 0) {
    const char *tick = memchr(s, '`', len);
    size_t plain = tick ? (size_t)(tick - s) : len;
    html_escape(out, s, plain);
    s += plain, len -= plain;
    if (!tick) return;
    const char *end = memchr(s + 1, '`', len - 1);
    size_t code = end ? (size_t)(end - s - 1) : len - 1;
    text_puts(out, "<code>");
    html_escape(out, s + 1, code);
    text_puts(out, "</code>");
    s += code + 1 + (end != NULL), len -= code + 1 + (end != NULL);
  }
}

typedef enum { LINE_BLANK, LINE_PLAIN, LINE_ITEM, LINE_HEADING, LINE_CODE } LineTag;

static LineTag line_tag(const char *s, size_t len) {
  if (strspn(s, " \t\r") >= len) return LINE_BLANK;
  if (len > 4 && strncmp(s, "    ", 4) == 0) return LINE_CODE;
  if (len > 2 && strncmp(s, "* ", 2) == 0) return LINE_ITEM;
  if (len > 2 && strncmp(s, "# ", 2) == 0) return LINE_HEADING;
  return LINE_PLAIN;
}

static void block_close(Text *out, LineTag open) {
  switch (open) {
    case LINE_BLANK:
    case LINE_HEADING: break;
    case LINE_PLAIN: text_puts(out, "</p>\n"); break;
    case LINE_ITEM: text_puts(out, "</li></ul>\n"); break;
    case LINE_CODE: text_puts(out, "</pre>\n"); break;
  }
}

// Plain lines go on with a paragraph or a list item.
static LineTag line_html(Text *out, LineTag open, const char *s, size_t len) {
  LineTag tag = line_tag(s, len);
  bool goes_on = tag == open || (tag == LINE_PLAIN && open == LINE_ITEM);
  if (!goes_on) block_close(out, open);
  switch (tag) {
    case LINE_BLANK: break;
    case LINE_HEADING:
      text_puts(out, "<h4>");
      inline_html(out, s + 2, len - 2);
      text_puts(out, "</h4>\n");
      break;
    case LINE_PLAIN:
      text_puts(out, goes_on ? "\n" : "<p>");
      inline_html(out, s, len);
      return goes_on ? open : tag;
    case LINE_ITEM:
      text_puts(out, goes_on ? "</li>\n<li>" : "<ul><li>");
      inline_html(out, s + 2, len - 2);
      break;
    case LINE_CODE:
      text_puts(out, goes_on ? "\n" : "<pre>");
      html_escape(out, s + 4, len - 4);
      break;
  }
  return tag;
}

void doc_text_html(Text *out, const char *text) {
  LineTag open = LINE_BLANK;
  while (text) {
    const char *end = strchr(text, '\n');
    open = line_html(out, open, text, end ? (size_t)(end - text) : strlen(text));
    text = end ? end + 1 : NULL;
  }
  block_close(out, open);
}

const char *doc_text_problem(const char *text) {
  int ticks = 0;
  bool any = false;
  for (const char *s = text; *s; s++) {
    ticks += *s == '`';
    any |= (unsigned char)*s > ' ';
    bool paragraph_ends = s[0] == '\n' && s[1] == '\n';
    if (paragraph_ends && ticks % 2) return "a backtick has no partner in its paragraph";
  }
  if (ticks % 2) return "a backtick has no partner in its paragraph";
  return any ? NULL : "it is empty";
}
