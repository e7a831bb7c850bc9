export { restoreArguments } from '@toolglot/core'
