// The part of WASI (preview 1) that the compiler's module imports, on files in memory.
//   dagazRun(module, arguments, files, stdin) -> {status, out, err, files}
// files: path -> text or bytes; the result has those that the command wrote.  Each call has an instance of its
// own, so nothing a command does is left for the next.
'use strict';

const WASI_BADF = 8, WASI_NOENT = 44, WASI_NOTDIR = 54, WASI_EXIST = 20, WASI_NOSYS = 52;
const WASI_MOST_OUTPUT = 32 << 20;

class DagazExit {
  constructor(status) { this.status = status; }
}

class DagazFiles {
  constructor(files, stdin) {
    const encode = (x) => typeof x === 'string' ? new TextEncoder().encode(x) : x;
    this.files = new Map(Object.entries(files).map(([path, x]) => [path, {bytes: encode(x)}]));
    this.out = [];
    this.err = [];
    this.written = 0;
    this.open = new Map([[0, {file: {bytes: encode(stdin)}, at: 0}], [1, {to: this.out}],
                         [2, {to: this.err}], [3, {folder: true}]]);
    this.next = 4;
  }

  isFolder(path) {
    if (path === '' || path === '.') return true;
    for (const name of this.files.keys()) if (name.startsWith(path + '/')) return true;
    return false;
  }

  write(stream, bytes) {
    this.written += bytes.length;
    if (this.written > WASI_MOST_OUTPUT) throw new DagazExit(1);
    if (stream.to) {
      stream.to.push(bytes);
      return;
    }
    const end = stream.at + bytes.length;
    if (end > stream.file.bytes.length) {
      const more = new Uint8Array(end);
      more.set(stream.file.bytes);
      stream.file.bytes = more;
    }
    stream.file.bytes.set(bytes, stream.at);
    stream.file.changed = true;
    stream.at = end;
  }
}

// `./a//b/../c` is `a/c`.
function dagazPath(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function dagazImports(fs, args, memory) {
  const view = () => new DataView(memory().buffer);
  const bytes = (at, len) => new Uint8Array(memory().buffer, at, len);
  const text = (at, len) => new TextDecoder().decode(bytes(at, len).slice());
  const u32 = (at, x) => view().setUint32(at, x, true);
  const u64 = (at, x) => view().setBigUint64(at, BigInt(x), true);
  const encoded = args.map((a) => new TextEncoder().encode(a + '\0'));
  const kind = (s) => s.folder ? 3 : s.file && !s.to ? 4 : 2;

  function vectors(at, n, each) {
    for (let i = 0, total = 0; ; i++) {
      if (i === n) return total;
      const base = view().getUint32(at + 8 * i, true), len = view().getUint32(at + 8 * i + 4, true);
      const done = each(base, len);
      total += done;
      if (done < len) return total;
    }
  }
  function stat(at, type, size) {
    bytes(at, 64).fill(0);
    view().setUint8(at + 16, type);
    u64(at + 24, 1);
    u64(at + 32, size);
    return 0;
  }
  const calls = {
    args_sizes_get(count, size) {
      u32(count, encoded.length);
      u32(size, encoded.reduce((n, a) => n + a.length, 0));
      return 0;
    },
    args_get(list, at) {
      for (const a of encoded) {
        u32(list, at);
        bytes(at, a.length).set(a);
        list += 4;
        at += a.length;
      }
      return 0;
    },
    environ_sizes_get(count, size) {
      u32(count, 0);
      u32(size, 0);
      return 0;
    },
    environ_get() { return 0; },
    clock_time_get(id, precision, at) {
      u64(at, Math.round(id === 0 ? Date.now() * 1e6 : performance.now() * 1e6));
      return 0;
    },
    fd_close(fd) { return fs.open.delete(fd) ? 0 : WASI_BADF; },
    fd_fdstat_get(fd, at) {
      const s = fs.open.get(fd);
      if (!s) return WASI_BADF;
      bytes(at, 24).fill(0);
      view().setUint8(at, kind(s));
      u64(at + 8, 0x1fffffff);
      u64(at + 16, 0x1fffffff);
      return 0;
    },
    fd_fdstat_set_flags() { return 0; },
    fd_prestat_get(fd, at) {
      if (fd !== 3) return WASI_BADF;
      u32(at, 0);
      u32(at + 4, 1);
      return 0;
    },
    fd_prestat_dir_name(fd, at) {
      bytes(at, 1)[0] = 47;
      return 0;
    },
    fd_read(fd, list, n, result) {
      const s = fs.open.get(fd);
      if (!s || !s.file) return WASI_BADF;
      u32(result, vectors(list, n, (base, len) => {
        const part = s.file.bytes.subarray(s.at, s.at + len);
        bytes(base, part.length).set(part);
        s.at += part.length;
        return part.length;
      }));
      return 0;
    },
    fd_write(fd, list, n, result) {
      const s = fs.open.get(fd);
      if (!s || s.folder) return WASI_BADF;
      u32(result, vectors(list, n, (base, len) => {
        fs.write(s, bytes(base, len).slice());
        return len;
      }));
      return 0;
    },
    fd_seek(fd, offset, whence, at) {
      const s = fs.open.get(fd);
      if (!s || !s.file) return WASI_BADF;
      s.at = Number(offset) + (whence === 1 ? s.at : whence === 2 ? s.file.bytes.length : 0);
      u64(at, s.at);
      return 0;
    },
    fd_readdir() { return WASI_NOSYS; },
    path_filestat_get(fd, flags, at, len, to) {
      const path = dagazPath(text(at, len)), file = fs.files.get(path);
      if (file) return stat(to, 4, file.bytes.length);
      return fs.isFolder(path) ? stat(to, 3, 0) : WASI_NOENT;
    },
    path_open(dir, lookup, at, len, flags, base, inherited, fdflags, to) {
      const path = dagazPath(text(at, len));
      let file = fs.files.get(path);
      if (flags & 2) return fs.isFolder(path) ? (u32(to, fs.next), fs.open.set(fs.next++, {folder: true}), 0)
                                              : file ? WASI_NOTDIR : WASI_NOENT;
      if (!file && !(flags & 1)) return WASI_NOENT;
      if (file && (flags & 4) && (flags & 1)) return WASI_EXIST;
      if (!file || (flags & 8)) {
        file = {bytes: new Uint8Array(0), changed: true};
        fs.files.set(path, file);
      }
      u32(to, fs.next);
      fs.open.set(fs.next++, {file, at: 0});
      return 0;
    },
    proc_exit(status) { throw new DagazExit(status); },
  };
  // What a module built otherwise may import besides fails as a call the system does not have.
  return new Proxy(calls, {get: (c, name) => c[name] || (() => WASI_NOSYS), has: () => true});
}

function dagazRun(module, args, files, stdin) {
  const fs = new DagazFiles(files, stdin || '');
  let instance, status = 0, trouble = '';
  const wasi = dagazImports(fs, ['dagaz', ...args], () => instance.exports.memory);
  try {
    instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasi});
    instance.exports._start();
  } catch (e) {
    status = e instanceof DagazExit ? e.status : 70;
    if (e instanceof RangeError) trouble = 'dagaz: the program is nested too deeply for the page\n';
    else if (!(e instanceof DagazExit)) trouble = 'dagaz: internal error: ' + e + '\n';
  }
  const joined = (parts) => {
    const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
    let at = 0;
    for (const p of parts) {
      all.set(p, at);
      at += p.length;
    }
    return new TextDecoder().decode(all);
  };
  const written = {};
  for (const [path, f] of fs.files) if (f.changed) written[path] = joined([f.bytes]);
  return {status, out: joined(fs.out), err: joined(fs.err) + trouble, files: written};
}

if (typeof module === 'object' && typeof require === 'function') module.exports = {dagazRun};
