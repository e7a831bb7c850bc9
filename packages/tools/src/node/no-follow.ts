import { constants } from 'node:fs'

/** macOS can refuse a link anywhere on the way (O_NOFOLLOW_ANY, which Node does not name); others only the last one. */
export const NO_FOLLOW: number = process.platform === 'darwin' ? 0x20000000 : constants.O_NOFOLLOW
