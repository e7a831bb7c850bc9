import type { Model } from '@toolglot/agent'
import type { Finish } from '@toolglot/core'
import { expect, test } from 'vitest'
import { type ModelTrial, tryModel } from './try-model.ts'

/** A model that calls the tool natively with these arguments. */
function calling(delta: string, finish: Finish): Model {
  return {
    name: 'fake',
    native: true,
    async *reply() {
      yield { type: 'call', index: 0, id: 'x', name: 'get_weather', delta }
      yield { type: 'finish', finish }
    },
  }
}

function tried(json: string, finish: Finish): Promise<ModelTrial> {
  return tryModel(calling(json, finish), { signal: new AbortController().signal })
}

test.each<Finish>(['stop', 'stop-string', 'length', 'broken'])(
  'a native call is understood only if its arguments are complete: %s',
  async (finish) => {
    for (const json of ['{"city": "Hanoi"}', "{'city': 'Hanoi',}"]) {
      for (let at = 0; at < json.length; at++)
        expect(await tried(json.slice(0, at), finish)).toMatchObject({
          understood: false,
          but: 'the call of get_weather is incomplete',
        })
      expect(await tried(json, finish)).toMatchObject({ understood: true, finish })
    }
  },
)
