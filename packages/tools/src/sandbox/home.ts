import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { Environment } from '../process/environment.ts'

/** Folders of the home folder that commands can write to: each run has its own, empty at first. */
const CACHES =
  '.cache .npm .yarn/berry .m2 .gradle .ivy2 .sbt .nuget .gem .bundle .composer/cache .pub-cache .cargo/registry .cargo/git go/pkg .ccache .pki .local/share/virtualenvs'

/**
 * Creates the home folder that commands see: caches that they can write to, and git's identity. Nothing else can be created in it,
 * so that no command seems to write to the real one.
 */
export async function makePrivateHome(
  folder: string,
  git: string | undefined,
  env: Environment,
): Promise<void> {
  const readOnly = new Set([folder])
  for (const name of words(CACHES)) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
    for (let each = dirname(join(folder, name)); each !== folder; each = dirname(each))
      readOnly.add(each)
  }
  const identity = git === undefined ? '' : await gitIdentity(git, env)
  writeFileSync(join(folder, '.gitconfig'), identity, { mode: 0o444 })
  for (const each of readOnly) if (!isCache(relative(folder, each))) chmodSync(each, 0o555)
}

const isCache = (name: string): boolean => words(CACHES).includes(name)

/** The user's settings of git that contain no credentials and run nothing. */
async function gitIdentity(git: string, env: Environment): Promise<string> {
  const args = ['config', '--global', '--includes', '--list', '-z']
  const options = { cwd: '/', env: env as NodeJS.ProcessEnv, timeout: 2000 }
  // There are no settings, or one of the files is a pipe.
  const { stdout } = await promisify(execFile)(git, args, options).catch(() => ({ stdout: '' }))
  return stdout
    .split('\0')
    .flatMap((line) => {
      const [key = '', value] = line.split('\n', 2)
      const [section, name] = key.split('.', 2)
      if (value === undefined || !GIT_SETTINGS.includes(key)) return []
      return `[${section}]\n\t${name} = "${value.replaceAll(/[\\"]/g, '\\$&')}"\n`
    })
    .join('')
}

const GIT_SETTINGS =
  'user.name user.email init.defaultbranch pull.rebase pull.ff merge.conflictstyle diff.algorithm core.autocrlf'.split(
    ' ',
  )

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
