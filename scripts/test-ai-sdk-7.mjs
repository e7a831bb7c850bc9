// npm run test:ai-sdk-7: the middleware with the AI SDK 7, on a newer Node, since that SDK needs one. Both come from npm (215 MB), so
// this is no part of npm test.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { build, install, root } from './ready.mjs'

const folder = `${root}/tests/ai-sdk-7`
install()
install(folder)
if (!build()) process.exit(1)

const installed = `${folder}/node_modules/.bin/node`
// On platforms whose package is not listed, this Node has to be new enough.
const node = existsSync(installed) ? installed : process.execPath
const commands = [
  [process.execPath, `${root}/node_modules/typescript/bin/tsc`, '-p', folder],
  [node, '--test', `${folder}/ai-sdk-7.test.ts`],
]
for (const [program = '', ...words] of commands) {
  const { status } = spawnSync(program, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
