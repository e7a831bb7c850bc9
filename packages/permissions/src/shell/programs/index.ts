import { alikeOf } from '../alike.ts'
import { list, type Program } from '../program.ts'
import { build } from './build.ts'
import { builtins } from './builtins.ts'
import { compile } from './compile.ts'
import { containers } from './containers.ts'
import { files } from './files.ts'
import { git } from './git.ts'
import { interpreters } from './interpreters.ts'
import { languages } from './languages.ts'
import { lint } from './lint.ts'
import { network } from './network.ts'
import { others } from './others.ts'
import { packages } from './packages.ts'
import { readers } from './readers.ts'
import { search } from './search.ts'
import { services } from './services.ts'
import { tests } from './tests.ts'
import { wrappers } from './wrappers.ts'

/** All tables. Each program is listed once. */
export const TABLES: readonly (readonly Program[])[] = [
  builtins,
  wrappers,
  readers,
  search,
  languages,
  files,
  [git],
  interpreters,
  build,
  compile,
  lint,
  tests,
  packages,
  network,
  services,
  containers,
  others,
]

/**
 * The tables of programs that run only their own code unless an argument makes them run other code.
 * All other programs may run any code.
 */
const SELF_CONTAINED: ReadonlySet<Program> = new Set(
  [builtins, wrappers, readers, search, languages, files, [git], network].flat(),
)

/** True if a program runs only its own code unless an argument makes it run other code. */
export const isSelfContained = (program: Program): boolean => SELF_CONTAINED.has(program)

const PROGRAMS = new Map<string, Program>()
for (const program of TABLES.flat()) {
  for (const name of list(program.names)) PROGRAMS.set(name, program)
}

/**
 * The table entry for a program. `/usr/bin/python3`, `python3.12` and `python3.exe` may be
 * different programs, so only the entry's restrictions apply to them.
 */
export function programNamed(name: string): Program | undefined {
  const exact = PROGRAMS.get(name)
  if (exact) return exact
  const base = name.slice(name.lastIndexOf('/') + 1)
  if (base.length > 60) return undefined
  const like =
    PROGRAMS.get(base) ??
    PROGRAMS.get(base.replace(/\.exe$/i, '')) ??
    PROGRAMS.get(base.replace(/[-.\d]+$/, ''))
  return like && alikeOf(like)
}
