import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

/** The paths of the workspace and the home folder for commands, and the purpose of their files. */
export const WORKSPACE = '/ws'
export const HOME = '/home/u'
/** The file that exists only if something not covered by rules ran or wrote. */
export const MARK = `${WORKSPACE}/PWNED`
/** Content that must not be shown: of denied files, of files outside, and of the environment. */
export const SECRETS = {
  denied: 'CANARYdenied',
  outside: 'CANARYoutside',
  environment: 'CANARYenv',
}

const EVIL = `#!/bin/sh\ntouch ${MARK}\n`

const FILES = {
  'notes.txt': 'line one\nline two\nfoo bar\n',
  'README.md': '# Read me\nfoo\n',
  'a.json': '{"b":1,"c":[1,2]}\n',
  'a.csv': 'x,1\ny,2\n',
  'list.txt': 'PWNED\n',
  'names.txt': '.env\nnotes.txt\n',
  'names0.txt': '.env\0notes.txt\0',
  'src/a.ts': 'export const a = 1 // foo\n',
  'src/b.ts': 'import { a } from "./a.ts"\n',
  'src/deep/c.ts': 'export {}\n',
  'docs/x y.md': 'a name with a space\n',
  'docs/-n': 'a name like an option\n',
  // Names with a special meaning if they are split or not quoted.
  'ticks/x`y`touch PWNED #': 'a name with backticks\n',
  'odd/a .env': 'a name that is split\n',
  'odd/b -f .env': 'a name that is split into an option\n',
  'out/old.txt': 'old\n',
  'a.yaml': 'b: 1\nc: [1, 2]\n',
  'a.toml': 'b = 1\n',
  'a.xml': '<b>1</b>\n',
  'a.c': 'int main(void) { return 0; }\n',
  'a.pl': 'print "hi\\n";\n',
  'a.rb': 'puts "hi"\n',
  'a.lua': 'print("hi")\n',
  'test.py': 'def test_a():\n    assert True\n',
  'test.sh': 'echo hi\n',
  'a.sorted': 'a\nb\nc\n',
  'a.diff': '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n',
  'sub/y.txt': 'y\n',
  'packages/api/package.json': '{"name":"api","scripts":{"test":"true"}}\n',
  'packages/api/Makefile': 'test:\n\ttrue\n',
  'package.json': `{"name":"p","scripts":{"test":"true","evil":"touch ${MARK}"}}\n`,
  Makefile: 'test:\n\ttrue\nok:\n\ttrue\n',
  '.env': `KEY=${SECRETS.denied}\n`,
  'secrets/key.txt': `${SECRETS.denied}\n`,
  'secrets/deep/key2.txt': `${SECRETS.denied}\n`,
  'evil.sh': EVIL,
  'evilbin/cat': EVIL,
  'evilbin/git': EVIL,
  'evil.js': `require('fs').writeFileSync('${MARK}', '')\n`,
  'evil.py': `open('${MARK}', 'w')\n`,
  'evil.awk': `BEGIN { system("touch ${MARK}") }\n`,
  'evil.sed': `1e touch ${MARK}\n`,
  'evilmk/Makefile': `$(shell touch ${MARK})\nok:\n\ttrue\ntest:\n\ttrue\n`,
  'evilpkg/package.json': `{"name":"q","scripts":{"test":"touch ${MARK}"}}\n`,
}

/** "line", compressed in several formats, for programs that read them. */
const COMPRESSED = {
  'a.gz': gzipSync('line\n').toString('base64'),
  'a.bz2': 'QlpoOTFBWSZTWVxaRM0AAAHBAAAQAiUgADDNAMGkDHF3JFOFCQXFpEzQ',
  'a.xz':
    '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAEbGluZQoAAAAAz+ps/q6zHowAAR0FuC2Arx+2830BAAAAAARZWg==',
  'a.zst': 'KLUv/QRYKQAAbGluZQrJ1aeC',
  'a.lz4': 'BCJNGGRApwUAAIBsaW5lCgAAAAAJGKkm',
}

const TRACKED =
  '.env notes.txt README.md a.json a.csv names.txt src docs sub packages package.json Makefile secrets'

/** Creates the workspace and the home folder in which all commands start. */
export function makeWorkspace(workspace, home) {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  for (const [path, text] of Object.entries(COMPRESSED))
    writeFileSync(join(workspace, path), Buffer.from(text, 'base64'))
  copyFileSync('/bin/true', join(workspace, 'a.o'))
  execFileSync('tar', ['cf', 'a.tar', 'notes.txt', 'src'], { cwd: workspace })
  for (const path of ['evil.sh', 'evilbin/cat', 'evilbin/git'])
    chmodSync(join(workspace, path), 0o755)
  mkdirSync(join(home, '.ssh'), { recursive: true })
  writeFileSync(join(home, '.ssh/id_rsa'), `${SECRETS.outside}\n`)
  writeFileSync(join(home, 'out.txt'), `${SECRETS.outside}\n`)
  symlinkSync('.env', join(workspace, 'link.txt'))
  symlinkSync('secrets/deep', join(workspace, 'lnk'))
  symlinkSync('../secrets', join(workspace, 'sub/toSecrets'))
  symlinkSync(HOME, join(workspace, 'outlink'))
  linkSync(join(workspace, '.env'), join(workspace, 'hard.txt'))
  const git = (folder, ...args) =>
    execFileSync('git', args, {
      cwd: join(workspace, folder),
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        HOME: home,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@example.com',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@example.com',
      },
    })
  git('.', 'init', '-q', '-b', 'main', '--template=')
  git('.', 'config', 'user.email', 'a@example.com')
  git('.', 'config', 'user.name', 'a')
  git('.', 'add', ...TRACKED.split(' '))
  git('.', 'commit', '-qm', 'one')
  writeFileSync(join(workspace, 'notes.txt'), `${FILES['notes.txt']}line three\n`)
  git('.', 'commit', '-qam', 'two')
  makeEvilBranch(workspace, git)
  mkdirSync(join(workspace, 'evilrepo'))
  git('evilrepo', 'init', '-q', '--template=')
  git('evilrepo', 'config', 'core.fsmonitor', `touch ${MARK};`)
}

/** A branch with links in place of files, and a separate repository in place of a folder. */
function makeEvilBranch(workspace, git) {
  git('.', 'checkout', '-q', '-b', 'evil')
  for (const [path, target] of [
    ['notes.txt', '.env'],
    ['src/a.ts', '../.env'],
    ['src/new.ts', '../secrets/key.txt'],
    ['README.md', `${HOME}/out.txt`],
  ]) {
    rmSync(join(workspace, path), { force: true })
    symlinkSync(target, join(workspace, path))
  }
  const bare = {
    HEAD: 'ref: refs/heads/main\n',
    'objects/x': '',
    'refs/x': '',
    config: `[core]\n\tbare = false\n\tworktree = ${WORKSPACE}\n\tfsmonitor = "touch ${MARK};"\n\trepositoryformatversion = 0\n`,
  }
  for (const [path, text] of Object.entries(bare)) {
    mkdirSync(dirname(join(workspace, 'sub', path)), { recursive: true })
    writeFileSync(join(workspace, 'sub', path), text)
  }
  git('.', 'add', '-f', 'notes.txt', 'README.md', 'src', 'sub')
  git('.', 'commit', '-qm', 'evil')
  git('.', 'checkout', '-q', 'main')
}

/** The permissions of a build, and their view of the workspace. */
export async function loadPermissions(dist) {
  const load = (path) => import(pathToFileURL(join(dist, path)))
  const { decide } = await load('decide/decide.js')
  const { readRules } = await load('rule/read-rules.js')
  const { nodeFileSystem } = await load('node/file-system.js')
  return { decide, readRules, fileSystem: nodeFileSystem({ cwd: WORKSPACE, home: HOME }) }
}
