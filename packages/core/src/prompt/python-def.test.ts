import { expect, test } from 'vitest'
import { pythonDef } from './python-def.ts'

test('a tool as the head of a Python function', () => {
  const lights = {
    name: 'lights',
    description: ' Dim the lights ',
    parameters: {
      type: 'object',
      properties: {
        level: { type: 'number', description: 'Percent' },
        rooms: { type: 'array', items: { type: 'string' } },
        extra: { type: ['object', 'null'] },
      },
      required: ['level'],
    },
  }
  expect(pythonDef(lights)).toBe(`Function:
def lights(level: int,rooms: list,extra: Any):
    """
    Dim the lights

    Args:
    - level (int) [必填]: Percent
    - rooms (list) [选填]:${' '}
    - extra (Any) [选填]:${' '}

    """`)
})

test('a tool without parameters', () => {
  expect(pythonDef({ name: 'noop', description: 'Nothing' })).toBe(`Function:
def noop():
    """
    Nothing



    """`)
})
