/** Gives the focus to the search of the view, or else to the message that is being written. */
export function focusFind(): void {
  const field =
    document.querySelector<HTMLElement>('main [data-find] input, main input[data-find]') ??
    document.querySelector<HTMLElement>('main .composer textarea')
  field?.focus()
}
