// Agents run in a namespace with no network except loopback.
import { spawnSync } from 'node:child_process'
import { install } from '../../scripts/ready.mjs'

/** Ways to run a command with no network except its own loopback. */
const ways = [
  ['bwrap', '--dev-bind', '/', '/', '--proc', '/proc', '--unshare-net', '--'],
  ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'],
]
/** A program that succeeds if loopback works and all other networks fail. */
const probe = `
const net = require('node:net'), os = require('node:os')
if (Object.values(os.networkInterfaces()).flat().some((each) => !each.internal)) process.exit(1)
const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1', () =>
  net.connect(server.address().port, '127.0.0.1').on('close', () => process.exit(0)).resume())
`

/** @returns {Promise<import('../../scripts/suite.mjs').SetUp>} */
export async function setUp() {
  const wrap = ways.find(
    ([program = '', ...words]) =>
      spawnSync(program, [...words, process.execPath, '-e', probe], { timeout: 10_000 }).status ===
      0,
  )
  if (!wrap) throw new Error('No network namespace can be made here: apt-get install bubblewrap')
  install(import.meta.dirname, { lenient: true })
  return { wrap, env: { NETWORK: 'loopback' } }
}
