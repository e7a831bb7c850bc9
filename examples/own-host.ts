import { type Host, nodeHost } from '@toolglot/tools'
import { conformance, type HostSetup, overHost } from '@toolglot/tools/conformance'

/** This machine, but each file that is written is noted. */
function notingHost({ fileSystem, storage }: HostSetup, note: (path: string) => void): Host {
  const host = nodeHost({ fileSystem, storage })
  return {
    ...host,
    files: {
      ...host.files,
      async replace(path, bytes, options) {
        const replaced = await host.files.replace(path, bytes, options)
        note(replaced.facts.path)
        return replaced
      },
    },
  }
}

const noted: string[] = []
const platform = overHost((setting) => notingHost(setting, (path) => void noted.push(path)), {
  ask: 'nobody sits at it',
})
for (const { id, about, needs, run } of conformance) {
  if (needs && platform.lacks?.[needs] !== undefined) continue
  await run(platform).catch((error: Error) => console.log(`${id} ${about}: ${error.message}`))
}
console.log(noted.length > 0 ? 'It does what every host does.' : 'Nothing was noted.')

// It does what every host does.
