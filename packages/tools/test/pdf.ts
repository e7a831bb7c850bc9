/** A small PDF with one line of text per page. `trailer` is added to the trailer, `contents` replaces the text. */
export function pdfOf(
  texts: readonly string[],
  { trailer = '', contents }: { readonly trailer?: string; readonly contents?: Uint8Array } = {},
): Buffer {
  const kids = texts.map((_, index) => `${4 + 2 * index} 0 R`)
  const objects: Uint8Array[] = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from(`<</Type/Pages/Kids[${kids.join(' ')}]/Count ${texts.length}>>`),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
    ...texts.flatMap((text, index) => [
      Buffer.from(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 -300000 600 800]/Contents ${5 + 2 * index} 0 R/Resources<</Font<</F 3 0 R>>>>>>`,
      ),
      contents ?? streamOf(Buffer.from(text === '' ? '' : linesOf(text))),
    ]),
  ]
  const parts = [Buffer.from('%PDF-1.4\n')]
  objects.forEach((object, index) =>
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')),
  )
  return Buffer.concat([...parts, Buffer.from(`trailer<</Root 1 0 R${trailer}>>\n`)])
}

/** A stream, compressed any number of times. */
export function streamOf(bytes: Uint8Array, packed = 0): Buffer {
  const filter = packed > 0 ? `/Filter[${'/FlateDecode'.repeat(packed)}]` : ''
  const head = Buffer.from(`<</Length ${bytes.length}${filter}>>stream\n`)
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')])
}

function linesOf(text: string): string {
  const lines = text.split('\n').map((line) => `(${line}) Tj 0 -20 Td`)
  return `BT /F 12 Tf 20 700 Td ${lines.join(' ')} ET`
}
