import { type Host, nodeHost } from '@toolglot/tools'
import { conformance, type HostSetup, overHost } from '@toolglot/tools/conformance'

/** This machine as a host that records every file it writes. */
function recordingHost({ fileSystem, storage }: HostSetup, record: (path: string) => void): Host {
  const host = nodeHost({ fileSystem, storage })
  return {
    ...host,
    files: {
      ...host.files,
      async replace(path, bytes, options) {
        const replaced = await host.files.replace(path, bytes, options)
        record(replaced.facts.path)
        return replaced
      },
    },
  }
}

const written: string[] = []
const platform = overHost((setting) => recordingHost(setting, (path) => void written.push(path)), {
  ask: 'there is no terminal',
})
for (const { id, about, needs, run } of conformance) {
  if (needs && platform.lacks?.[needs] !== undefined) continue
  await run(platform).catch((error: Error) => console.log(`${id} ${about}: ${error.message}`))
}
console.log(written.length > 0 ? 'It behaves like every other host.' : 'Nothing was written.')

// It behaves like every other host.
