/** Whether a program that splits at whitespace and interprets quotes reads this as one name, and not as an option. */
export const isOneName = (name: string): boolean => /^[^-\s'"\\][^\s'"\\]*$/.test(name)
