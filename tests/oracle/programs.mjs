import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Families of programs whose purpose is to run the project's code, to build or to write. */
const LOOSE = [
  'build',
  'compile',
  'lint',
  'tests',
  'packages',
  'interpreters',
  'containers',
  'services',
  'others',
  'files',
]

/** Programs that are not run here: they wait, or end what they run in. */
const LEFT_OUT = new Set(
  'watch top htop less more man vi vim nano ed su sudo login reboot halt poweroff shutdown script screen tmux yes sleep wait exec exit logout suspend kill fg bg bash sh dash zsh'.split(
    ' ',
  ),
)

/** All programs of the tables that exist here, with the options and subcommands that are known of them. */
export async function programsHere(dist, { help = true } = {}) {
  const family = async (name) => {
    const module = await import(pathToFileURL(join(dist, `shell/programs/${name}.js`)))
    return Object.values(module).flatMap((value) =>
      Array.isArray(value) ? value : value?.names ? [value] : [],
    )
  }
  const families =
    'builtins wrappers readers search languages files git interpreters build compile lint tests packages network services containers others'.split(
      ' ',
    )
  const found = []
  for (const each of families)
    for (const program of (await family(each)).filter((entry) => typeof entry?.names === 'string'))
      for (const name of program.names.trim().split(/\s+/))
        if (!LEFT_OUT.has(name) && isHere(name))
          found.push(describe(name, program, LOOSE.includes(each), help))
  return found
}

const BUILTINS = new Set([
  'echo',
  'printf',
  'pwd',
  'cd',
  'test',
  '[',
  'true',
  'false',
  ':',
  'type',
  'set',
  'read',
  'export',
  'jobs',
  'pushd',
  'popd',
  'times',
  'dirs',
  'break',
  'continue',
  'return',
])

function isHere(name) {
  return (
    BUILTINS.has(name) ||
    ['/usr/local/bin', '/usr/bin', '/bin'].some((folder) => existsSync(join(folder, name)))
  )
}

function describe(name, program, loose, help) {
  const usages = [program, ...Object.values(program.commands ?? {})]
  const listed = usages.flatMap((usage) =>
    [
      usage.options,
      usage.texts,
      usage.writesWith,
      ...Object.values(usage.files ?? {}),
      ...Object.values(usage.reach ?? {}),
    ].flatMap((words) =>
      typeof words === 'string'
        ? words
            .split(/\s+/)
            .filter((word) => /^[-+]/.test(word))
            .map((word) => word.replace(/\[?=.*$/, ''))
        : [],
    ),
  )
  const commands = Object.keys(program.commands ?? {})
  return {
    name,
    loose,
    opaque: program.opaque === true,
    commands,
    options: [...new Set([...listed, ...(help ? inHelp(name) : [])])],
  }
}

/** The options that the help of a program names. */
function inHelp(name) {
  if (BUILTINS.has(name)) return []
  const { stdout, stderr } = spawnSync('timeout', ['-s', 'KILL', '2', name, '--help'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    cwd: '/tmp',
    maxBuffer: 1 << 22,
  })
  return [...`${stdout}${stderr}`.matchAll(/(?<=^|[\s,[|(])--?[A-Za-z][\w-]*/g)]
    .map(([option]) => option)
    .slice(0, 200)
}
