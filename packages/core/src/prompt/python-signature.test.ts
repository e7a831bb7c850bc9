import { expect, test } from 'vitest'
import { pythonSignature } from './python-signature.ts'

test('a tool as a Python function', () => {
  const tool = {
    name: 'add',
    description: 'Add numbers',
    parameters: {
      type: 'object',
      properties: {
        values: { type: 'array', items: { type: 'number' }, description: 'What to add' },
        round: { type: 'boolean', description: 'Whether to round' },
      },
      required: ['values'],
    },
  }
  expect(pythonSignature(tool)).toBe(`\`\`\`python
def add(values: List[float], round: Optional[bool] = None) -> List[Dict]:
    """Add numbers

    Args:
        values (List[float]): What to add
        round (Optional[bool]): Whether to round
    """
    pass
\`\`\``)
})
