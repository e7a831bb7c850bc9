// npm start [-- <arguments>]: installs, builds and runs the toolglot command.
import { fileURLToPath } from 'node:url'
import { ready } from './ready.mjs'

ready({ light: true })

// The command runs in this process, so that it gets the exit code, signals and streams.
const command = new URL('../packages/cli/bin/toolglot.js', import.meta.url)
const given = process.argv.slice(2)
process.argv = [process.execPath, fileURLToPath(command), ...given]
await import(command.href)
