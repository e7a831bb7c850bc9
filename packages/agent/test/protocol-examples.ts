import { readdirSync } from 'node:fs'
import type { Examples } from '@toolglot/core'

const folder = new URL('../../core/src/protocols/', import.meta.url)

/** The examples of all protocols: what models write in them. */
export const wires: readonly string[] = (
  await Promise.all(
    readdirSync(folder)
      .filter((file) => file !== 'index.ts')
      .map(async (file) => {
        const { examples = {} } = (await import(new URL(file, folder).href)) as {
          examples?: Examples
        }
        return Object.values(examples).map(({ wire }) => wire)
      }),
  )
).flat()
