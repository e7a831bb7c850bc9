import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from './ready.mjs'

// npm packs a license only if it is in the package's own folder.
test.each(readdirSync(`${root}/packages`))('%s is published with the license', (name) => {
  const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')
  expect(read(`packages/${name}/LICENSE`)).toBe(read('LICENSE'))
})
