import { readFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'

/** The machine and the versions used for the measurement. */
export function describeMachine() {
  const [first] = cpus()
  return {
    date: new Date().toISOString(),
    node: process.version,
    v8: process.versions.v8,
    platform: `${platform()} ${arch()}`,
    cpu: `${cpus().length} x ${first?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    load: (loadavg()[0] ?? 0).toFixed(2),
    toolglot: versionOf('@toolglot/core'),
    peers: Object.fromEntries(peers.map((name) => [name, versionOf(name)])),
  }
}

const peers = ['@ai-sdk-tool/parser', 'partial-json', 'jsonrepair', 'ai']

/** @param {string} name */
function versionOf(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return String(JSON.parse(readFileSync(file, 'utf8')).version)
}
