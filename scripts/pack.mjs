import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './ready.mjs'

/** The folders of the published packages. The page is part of the server's package. */
export const published = readdirSync(join(root, 'packages')).filter((name) => name !== 'web')

/**
 * Packs every package into a folder, as npm publishes it; or lists the archives in the folder
 * PACKED, if it was created after the last build.
 *
 * @param {string} destination
 * @returns {Map<string, string>} the archive of each package, by the name of its folder
 */
export function pack(destination) {
  const { PACKED } = process.env
  if (PACKED !== undefined && archivesIn(PACKED).every(([, archive]) => existsSync(archive)))
    return new Map(archivesIn(PACKED))
  const words = published.flatMap((folder) => ['--workspace', `packages/${folder}`])
  const { status, stderr } = spawnSync(
    'npm',
    ['pack', ...words, '--pack-destination', PACKED ?? destination, '--silent', '--ignore-scripts'],
    { cwd: root, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  return new Map(archivesIn(PACKED ?? destination))
}

/**
 * @param {string} place
 * @returns {[folder: string, archive: string][]}
 */
function archivesIn(place) {
  return published.map((folder) => [folder, join(place, archiveOf(folder))])
}

/** @param {string} folder */
function archiveOf(folder) {
  const manifest = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')
  const { name, version } = JSON.parse(manifest)
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}
