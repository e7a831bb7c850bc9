// npm run test:matrix: real agents talk to the gateway. They come from npm (1.4 GB), so this is no part of npm test. They run without
// a network but this machine's own, in a namespace; where none can be made, the tests are skipped. Arguments are for vitest.
import { spawnSync } from 'node:child_process'
import { build, install, root } from './ready.mjs'

const folder = `${root}/tests/matrix`
const vitest = [
  process.execPath,
  `${root}/node_modules/vitest/vitest.mjs`,
  'run',
  '--reporter=verbose',
  `--config=${folder}/vitest.config.ts`,
  ...process.argv.slice(2),
]
/** Ways to run a command whose only network is its own loopback. */
const ways = [
  ['bwrap', '--dev-bind', '/', '/', '--proc', '/proc', '--unshare-net', '--'],
  ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'],
]
/** A program that succeeds if loopback works, and nothing else does. */
const probe = `
const net = require('node:net'), os = require('node:os')
if (Object.values(os.networkInterfaces()).flat().some((each) => !each.internal)) process.exit(1)
const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1', () =>
  net.connect(server.address().port, '127.0.0.1').on('close', () => process.exit(0)).resume())
`

const way = ways.find(
  ([program = '', ...words]) =>
    spawnSync(program, [...words, process.execPath, '-e', probe], { timeout: 10_000 }).status === 0,
)
if (!way) process.stderr.write('No network namespace can be made here: the tests are skipped.\n')
install()
if (way) {
  install(folder, { lenient: true })
  // Some tests run the command.
  if (!build()) process.exit(1)
}
const [program = '', ...words] = [...(way ?? []), ...vitest]
const { status } = spawnSync(program, words, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(way && { NETWORK: 'loopback' }) },
})
process.exitCode = status ?? 1
