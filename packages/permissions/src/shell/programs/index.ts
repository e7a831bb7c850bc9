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

const PROGRAMS = new Map<string, Program>()
for (const program of TABLES.flat()) {
  for (const name of list(program.names)) PROGRAMS.set(name, program)
}

/** The table entry of a program: `python3.12` is `python`. */
export function programNamed(name: string): Program | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1)
  if (base.length > 60) return undefined
  return (
    PROGRAMS.get(base) ??
    PROGRAMS.get(base.replace(/\.exe$/i, '')) ??
    PROGRAMS.get(base.replace(/[-.\d]+$/, ''))
  )
}
