// The server, started as by `toolglot serve`. Sends its port and two tokens to its parent.
import { openAiCompatible } from '@toolglot/agent/models'
import { patientFetch } from '@toolglot/agent/node'
import { startServer } from '@toolglot/server'
import { openTokens } from '@toolglot/server/internal'
import { tell } from './process.mjs'

const [upstream = '', hostile = '', stateFolder = ''] = process.argv.slice(2)
const tokens = openTokens({ stateFolder })
const slow = tokens.create('slow', ['gateway'])
const { url } = await startServer({
  stateFolder,
  port: 0,
  models: {
    list: () => Promise.resolve([]),
    find: (name) =>
      Promise.resolve({
        protocol: 'hermes',
        model: openAiCompatible({
          url: name.startsWith('openers') ? hostile : upstream,
          model: name,
          fetch: patientFetch,
        }),
      }),
  },
})
tell({ port: Number(new URL(url).port), token: tokens.main(), slow })
