// Protects and releases the guarded files of a folder many times, and reports whenever one of them was missing.
import { existsSync } from 'node:fs'
import { protect } from '../src/sandbox/protect.ts'

const { ROOT = '', RECORDS = '', TIMES = '' } = process.env
console.log('ready')
for (let time = 0; time < Number(TIMES); time++) {
  const { readOnly, release } = protect([ROOT], RECORDS)
  const until = performance.now() + Math.random()
  do {
    const gone = readOnly.filter((path) => !existsSync(path))
    if (gone.length > 0 || readOnly.length === 0) console.log(`gone: ${gone.join(' ')}`)
  } while (performance.now() < until)
  release()
  if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, Math.random()))
}
