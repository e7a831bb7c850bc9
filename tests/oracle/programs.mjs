import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Families of programs that run project code, build or write by design. */
const LOOSE = new Set(
  'build compile lint tests packages interpreters containers services others files'.split(' '),
)

/** Programs that are not run here, because they end their environment. */
const LEFT_OUT = new Set(
  'kill killall pkill skill xkill fuser reboot halt poweroff shutdown init telinit'.split(' '),
)

const BUILTINS = new Set(
  `echo printf pwd cd test [ true false : type set read export jobs pushd popd times dirs break continue return exit wait
   command builtin exec eval trap source . umask ulimit shift disown bg fg suspend logout getopts shopt bind complete compopt
   caller alias unalias hash enable declare typeset local readonly unset let mapfile readarray history fc compgen time`.split(
    /\s+/,
  ),
)

const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/games']
const FAMILIES =
  'builtins wrappers readers search languages files git interpreters build compile lint tests packages network services containers others'

/** All programs of the tables, with their families, and whether they are installed. */
export async function tabled(dist) {
  const found = []
  for (const family of FAMILIES.split(' ')) {
    const module = await import(pathToFileURL(join(dist, `shell/programs/${family}.js`)))
    const programs = Object.values(module).flatMap((value) =>
      Array.isArray(value) ? value : [value],
    )
    for (const program of programs)
      if (typeof program?.names === 'string')
        for (const name of program.names.trim().split(/\s+/))
          found.push({ name, program, family, loose: LOOSE.has(family), ...where(name) })
  }
  return found
}

function where(name) {
  const isBuiltin = BUILTINS.has(name)
  return { isBuiltin, isHere: (isBuiltin || isHere(name)) && !LEFT_OUT.has(name) }
}

export const isHere = (name) => FOLDERS.some((folder) => existsSync(join(folder, name)))

/** The building blocks for shell commands with a program. */
export function vocabulary({ name, program, isBuiltin }, { help = true } = {}) {
  const commands = Object.entries(program.commands ?? {})
  return {
    commands: commands.map(([command]) => command),
    /**
     * The probability that a shell command contains one of these subcommands: low if none of them
     * is ever allowed.
     */
    often: commands.length === 0 ? 0 : commands.every(([, usage]) => usage.always) ? 0.2 : 0.95,
    usage: (command) => {
      const usage = program.commands?.[command] ?? program
      return { usage, options: optionsOf(usage) }
    },
    rare: [
      ...[program, ...commands.map(([, usage]) => usage)].flatMap(reaching),
      ...(help && !isBuiltin ? inHelp(name) : []),
    ],
  }
}

const words = (list) => (typeof list === 'string' ? list.split(/\s+/).filter(Boolean) : [])
/** Options in the format of the tables: `--lines=`, `--color[=]`, `-t=d|o|x`. */
const optionsOf = (usage) => [usage.options, usage.texts, usage.passes].flatMap(words)
const reaching = (usage) =>
  [
    usage.writesWith,
    ...Object.values(usage.files ?? {}),
    ...Object.values(usage.reach ?? {}),
  ].flatMap(words)

/** The options in the help text of a program. */
function inHelp(name) {
  const { stdout, stderr } = spawnSync('timeout', ['-s', 'KILL', '2', name, '--help'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    cwd: '/tmp',
    maxBuffer: 1 << 22,
    env: { PATH: FOLDERS.join(':'), HOME: '/tmp' },
  })
  return [...`${stdout}${stderr}`.matchAll(/(?<=^|[\s,[|(])--?[A-Za-z][\w-]*/g)]
    .map(([option]) => option)
    .slice(0, 200)
}
