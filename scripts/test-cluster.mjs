// npm run test:cluster: servers and workers on a real Postgres (60 MB from npm), and workers that Restate drives (220 MB), which
// are killed, paused and restarted. It is no part of npm test. CLUSTER=long is the whole of it. Arguments are for vitest.
import { spawnSync } from 'node:child_process'
import { install, ready, root } from './ready.mjs'
import { testFolder } from './test-folder.mjs'

const folder = `${root}/tests/cluster`
ready()
install(`${root}/tests/postgres`)
install(folder)
// Only here are the types of Restate installed.
const types = spawnSync('npx', ['tsc', '-p', folder], { cwd: root, stdio: 'inherit' })
if (types.status !== 0) process.exit(1)
testFolder(folder)
