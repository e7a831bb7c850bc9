// A vitest reporter: writes errors outside of tests, which the JSON reporter omits, to the file
// UNCAUGHT_ERRORS.
import { writeFileSync } from 'node:fs'

export default class {
  /**
   * @param {unknown} _modules
   * @param {readonly { name?: string, message: string, stack?: string }[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const texts = errors.map(({ name, message, stack }) => stack ?? `${name}: ${message}`)
    writeFileSync(String(process.env['UNCAUGHT_ERRORS']), JSON.stringify(texts))
  }
}
