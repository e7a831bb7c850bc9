import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { entry } from '../../../../scripts/entry.mjs'

/** Bundles a program into a single file for plain Node, which cannot run our sources directly. */
export async function bundleProgram(program: string, folder: string): Promise<string> {
  const drive = fileURLToPath(new URL('drive.ts', import.meta.url))
  const code = `
    import { drive } from ${JSON.stringify(drive)}
    import program from ${JSON.stringify(program)}
    await drive(program)`
  const built = await rolldown({
    input: 'entry',
    platform: 'node',
    resolve: { conditionNames: ['@toolglot/source', 'import'] },
    plugins: [
      entry(code),
      {
        name: 'threads',
        // Worker files are located relative to the source that starts them.
        transform: (source, id) =>
          source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      },
    ],
  })
  const file = join(folder, 'program.mjs')
  await built.write({ file, codeSplitting: false })
  await built.close()
  return file
}
