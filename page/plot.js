// A plot of curves as SVG text: plot([{name, xs, ys}]).  Points that are not finite leave a gap.
'use strict';

function niceStep(span, count) {
  const raw = span / count, power = Math.pow(10, Math.floor(Math.log10(raw)));
  for (const k of [1, 2, 5]) if (k * power >= raw) return k * power;
  return 10 * power;
}

function ticksOf(from, to, count) {
  const step = niceStep(to - from, count), ticks = [];
  for (let k = Math.ceil(from / step); k * step <= to + 1e-9 * step; k++) ticks.push(k * step);
  return ticks;
}

function rangeOf(values) {
  const finite = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (!finite.length) return [0, 1];
  let from = finite[0], to = finite[finite.length - 1];
  // A pole would flatten the rest: then the middle of the values decides.
  const low = finite[Math.floor(finite.length * 0.04)], high = finite[Math.ceil(finite.length * 0.96) - 1];
  if (to - from > 20 * (high - low) && high > low) [from, to] = [low - (high - low), high + (high - low)];
  if (from === to) [from, to] = [from - 1, to + 1];
  const margin = 0.06 * (to - from);
  return [from - margin, to + margin];
}

function shortNumber(x) {
  return Math.abs(x) < 1e-12 ? '0' : String(Number(x.toPrecision(6)));
}

function plot(curves) {
  const width = 640, height = 360, left = 58, right = 14, top = 14, bottom = 34;
  const xs = curves.flatMap((c) => c.xs);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)], [y0, y1] = rangeOf(curves.flatMap((c) => c.ys));
  const px = (x) => left + (x - x0) / (x1 - x0 || 1) * (width - left - right);
  const py = (y) => height - bottom - (y - y0) / (y1 - y0) * (height - top - bottom);
  const out = [`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Plot of ${curves.map((c) => c.name).join(' and ')}">`];
  for (const x of ticksOf(x0, x1, 6))
    out.push(`<line class="grid" x1="${px(x)}" y1="${top}" x2="${px(x)}" y2="${height - bottom}"/>`,
             `<text x="${px(x)}" y="${height - bottom + 18}" text-anchor="middle">${shortNumber(x)}</text>`);
  for (const y of ticksOf(y0, y1, 5))
    out.push(`<line class="grid${Math.abs(y) < 1e-12 ? ' zero' : ''}" x1="${left}" y1="${py(y)}" x2="${width - right}" y2="${py(y)}"/>`,
             `<text x="${left - 6}" y="${py(y) + 4}" text-anchor="end">${shortNumber(y)}</text>`);
  out.push(`<clipPath id="inside"><rect x="${left}" y="${top}" width="${width - left - right}" height="${height - top - bottom}"/></clipPath>`);
  curves.forEach((c, k) => {
    let path = '', pen = false;
    c.xs.forEach((x, i) => {
      if (!Number.isFinite(c.ys[i])) pen = false;
      else {
        path += `${pen ? 'L' : 'M'}${px(x).toFixed(1)} ${py(Math.max(-1e9, Math.min(1e9, c.ys[i]))).toFixed(1)}`;
        pen = true;
      }
    });
    out.push(`<path class="curve c${k}" clip-path="url(#inside)" d="${path}"/>`,
             `<text class="key c${k}" x="${left + 10}" y="${top + 16 + 17 * k}">${escapeText(c.name)}</text>`);
  });
  return out.join('') + '</svg>';
}
