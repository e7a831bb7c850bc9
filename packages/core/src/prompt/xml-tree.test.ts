import { expect, test } from 'vitest'
import { xmlTree } from './xml-tree.ts'

test('a tool as a tree of tags', () => {
  const lights = {
    name: 'lights',
    description: ' Dim <all> lights & shades ',
    parameters: {
      type: 'object',
      properties: {
        level: { type: ['integer', 'null'], description: 'Percent', maximum: 100 },
        rooms: { type: 'array', items: { type: 'string' }, default: ['Küche'] },
        fade: { type: 'boolean', default: true },
      },
      required: ['level'],
      additionalProperties: false,
    },
  }
  expect(xmlTree(lights)).toBe(`<function>
<name>lights</name>
<description>Dim <all> lights & shades</description>
<parameters>
<parameter>
<name>level</name>
<type>['integer', 'null']</type>
<description>Percent</description>
<maximum>100</maximum>
</parameter>
<parameter>
<name>rooms</name>
<type>array</type>
<items>{"type": "string"}</items>
<default>["Küche"]</default>
</parameter>
<parameter>
<name>fade</name>
<type>boolean</type>
<default>True</default>
</parameter>
<required>["level"]</required>
<additionalProperties>False</additionalProperties>
</parameters>
</function>`)
})

test('a tool without parameters', () => {
  expect(xmlTree({ name: 'noop' })).toBe(
    '<function>\n<name>noop</name>\n<parameters>\n</parameters>\n</function>',
  )
})
