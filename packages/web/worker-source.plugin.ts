import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const NAME = 'virtual:parse-worker'
const ENTRY = fileURLToPath(new URL('src/parser/worker/parse-worker.ts', import.meta.url))

/** Provides the bundled script of the Parser's worker as a string. */
export function workerSource(): Plugin {
  return {
    name: 'worker-source',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: {
          write: false,
          target: 'es2022',
          rolldownOptions: { input: ENTRY, output: { format: 'iife', codeSplitting: false } },
        },
      })
      const [{ output } = { output: [] }] = [built].flat().filter((each) => 'output' in each)
      const [chunk] = output
      if (chunk?.type !== 'chunk') throw new Error('The worker was not built.')
      return `export default ${JSON.stringify(chunk.code)}`
    },
  }
}
