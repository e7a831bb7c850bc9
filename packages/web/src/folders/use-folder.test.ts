import { expect, test } from 'vitest'
import { selectedFolder } from './use-folder.ts'

const none = { inAddress: undefined, ofRun: undefined, isRunUnknown: false, own: '/own' }

test.each([
  ['the server’s own', {}, undefined, '/own'],
  ['that of the address', { inAddress: '/a', ofRun: '/b' }, '/a', '/a'],
  ['that of the run', { ofRun: '/b' }, '/b', '/b'],
  ['that of the run, which is the server’s own', { ofRun: '/own' }, undefined, '/own'],
  ['none, while a run of any folder is loading', { isRunUnknown: true }, undefined, undefined],
  [
    'that of the address, while a run is loading',
    { inAddress: '/a', isRunUnknown: true },
    '/a',
    '/a',
  ],
  ['none, before the server has said its own', { own: undefined }, undefined, undefined],
])('%s', (_, given, folder, path) => {
  expect(selectedFolder({ ...none, ...given })).toEqual({ folder, path })
})
