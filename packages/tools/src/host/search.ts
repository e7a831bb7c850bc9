/** Names and contents of many files. */
export type Search = object
