import { list } from '../program.ts'

/** The modules of Python's own library, in all versions, and what these or the interpreter may try to load. */
const NAMES = `
  abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex
  bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
  compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
  decimal difflib dis distutils doctest dummy_threading email encodings ensurepip enum errno faulthandler fcntl filecmp
  fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib
  heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache
  locale logging lzma macpath macurl2path mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
  multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb
  pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile profiling pstats pty pwd py_compile
  pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
  selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants
  sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile
  telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty
  turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound
  wsgiref xdrlib xml xmlrpc xxlimited xxsubtype zipapp zipfile zipimport zlib zoneinfo
  sitecustomize usercustomize apport apport_python_hook apt apt_pkg problem_report org java javax com jarray cffi pypyjit
  identity_dict greenlet UserDict UserList UserString StringIO cStringIO cPickle ConfigParser Queue copy_reg commands new sets
  strop thread dummy_thread exceptions future_builtins hotshot htmlentitydefs md5 sha popen2 pyexpat repr rfc822 user
  gestalt MacOS ce os2 riscos riscosenviron riscospath vms_lib`

const names = new Set(list(NAMES).map((name) => name.toLowerCase()))

/** Whether a file or folder may be loaded in place of a module of the library: `json.cpython-311.so` is `json`. */
export function isInPythonLibrary(file: string): boolean {
  const [name = ''] = file.toLowerCase().split('.', 1)
  return name.startsWith('_') || names.has(name)
}
