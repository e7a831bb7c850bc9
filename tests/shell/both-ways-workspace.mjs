import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FILES = {
  'package.json': `${JSON.stringify({
    name: 'sample',
    version: '1.2.3',
    scripts: { test: 'echo tested', build: 'echo built', lint: 'echo linted' },
    dependencies: { left: '1.0.0' },
  })}\n`,
  'README.md': '# Sample\n\nfoo TODO\n',
  'notes.txt': 'start\nline  two\n3 100 foo\nfoo bar 7\nend\n',
  'a.json': '{"b":1,"c":[1,2]}\n',
  'a.csv': 'x,1\ny,2\n',
  Makefile: 'test:\n\t@echo made\nbuild:\n\t@echo built\n',
  'scripts/run.sh': '#!/bin/sh\necho "ran with $*"\n',
  'src/a.ts': 'import { b } from "./b.ts"\nexport const a = b // foo\n',
  'src/b.ts': 'export const b = 1 // TODO\n',
  'src/a.test.ts': 'export {}\n',
  'src/deep/c.ts': 'export {}\n',
  'packages/api/package.json': '{"name":"api","version":"0.1.0","scripts":{"test":"true"}}\n',
  'packages/web/package.json': '{"name":"web","version":"0.2.0","scripts":{"test":"true"}}\n',
  // Names with a special meaning if they are not quoted.
  'names/two words.md': 'two words\n',
  "names/it's.md": 'a quote\n',
  'names/"double".md': 'double quotes\n',
  'names/-n': 'like an option\n',
  'names/a*b': 'a star\n',
  'names/$HOME': 'a dollar\n',
  'names/;echo oops;': 'semicolons\n',
  'names/ä🙂.md': 'not ASCII\n',
  'names/.hidden': 'hidden\n',
}

/** All files have the same time, so that listings of two copies are identical. */
const TIME = new Date('2026-01-02T03:04:05Z')

/** Creates the workspace and the home folder in which all commands start. */
export function makeWorkspace(workspace, home) {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
    utimesSync(join(workspace, path), TIME, TIME)
  }
  chmodSync(join(workspace, 'scripts/run.sh'), 0o755)
  symlinkSync('src', join(workspace, 'linked'))
  writeFileSync(join(home, '.profile'), '# nothing\n')
  const git = (...args) =>
    execFileSync('git', args, { cwd: workspace, stdio: 'ignore', env: environment(home) })
  git('init', '-q', '-b', 'main', '--template=')
  git('config', 'user.email', 'a@example.com')
  git('config', 'user.name', 'a')
  git('add', '.')
  git('commit', '-qm', 'one')
  writeFileSync(join(workspace, 'notes.txt'), `${FILES['notes.txt']}one more\n`)
  git('commit', '-qam', 'two')
  writeFileSync(join(workspace, 'README.md'), `${FILES['README.md']}changed\n`)
}

/** The environment of the commands. Git uses a fixed time, so that commits have the same hashes. */
export const environment = (home) => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  npm_config_logs_max: '0',
  npm_config_update_notifier: 'false',
  // There is no network, and npm would retry for minutes.
  npm_config_offline: 'true',
})
