/** The codes of the characters that JSON is made of. */
export const QUOTE: number = 34
export const COMMA: number = 44
export const SLASH: number = 47
export const COLON: number = 58
export const OPEN_LIST: number = 91
export const BACKSLASH: number = 92
export const CLOSE_LIST: number = 93
export const OPEN: number = 123
export const CLOSE: number = 125
