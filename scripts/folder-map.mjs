// The map of folders in CONTRIBUTING.md, from one-line headers: in each folder of a package's sources, one file begins with
// `// Folder: …`. Part of npm run check; with --write part of npm run docs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './ready.mjs'

const BEGIN = '<!-- folders: written by npm run docs -->'
const END = '<!-- end of folders -->'

const problems = []
const packages = readdirSync(join(root, 'packages')).sort()
const rows = packages.flatMap((name) => {
  const { description } = JSON.parse(read(`packages/${name}/package.json`))
  const folders = foldersIn(`packages/${name}/src`)
  return [
    `| **\`packages/${name}\`** | **${description}** |`,
    ...folders.map((folder) => `| \`${folder.replace('packages/', '')}\` | ${headerOf(folder)} |`),
  ]
})

const file = 'CONTRIBUTING.md'
const text = read(file)
const [before, rest = ''] = text.split(BEGIN)
const after = rest.split(END)[1]
if (after === undefined) problems.push(`${file} has no ${BEGIN} … ${END}`)
const map = [before + BEGIN, '| folder | contents |', '|---|---|', ...rows, END + after].join('\n')
if (problems.length === 0 && process.argv.includes('--write')) writeFileSync(join(root, file), map)
else if (problems.length === 0 && map !== text)
  problems.push(`The map of folders in ${file} is out of date. Run: npm run docs`)

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log(`${rows.length - packages.length} folders are in the map of ${file}`)

/**
 * The description of a folder.
 *
 * @param {string} folder
 * @returns {string}
 */
function headerOf(folder) {
  const headers = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => {
      const [first = ''] = read(`${folder}/${name}`).split('\n', 1)
      return /^(?:\/\/|\/\*) Folder: (.*?)(?: \*\/)?$/.exec(first)?.[1] ?? []
    })
  if (headers.length !== 1)
    problems.push(
      `${folder}: ${headers.length} files begin with "// Folder: …". Begin exactly one of them with it.`,
    )
  return headers[0] ?? ''
}

/**
 * @param {string} folder
 * @returns {string[]} the folders directly below it
 */
function foldersIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`)
    .sort()
}

/**
 * @param {string} path
 * @returns {string}
 */
function read(path) {
  return readFileSync(join(root, path), 'utf8')
}
