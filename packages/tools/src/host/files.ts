/** Files, as tools read and change them. */
export type Files = object
