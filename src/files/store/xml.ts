/** Reads XML, in which a store and its token service answer. */

/** An element: its name, the elements in it, and its text. */
export interface XmlElement {
  name: string
  children: XmlElement[]
  text: string
}

/** @returns the outermost element @throws Error for XML that is not well-formed, or uses entities of a DTD */
export async function parseXml(text: string): Promise<XmlElement> {
  const { SaxesParser } = await import('saxes')
  const document: XmlElement = { name: '', children: [], text: '' }
  const open = [document]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    const element = { name, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  const addText = (added: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += added
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  const [root] = document.children
  if (root === undefined) throw new Error('A document without an element.')
  return root
}

/** @returns the text of the first element of the name, at any depth; `undefined` without one */
export function textOf(element: XmlElement, name: string): string | undefined {
  if (element.name === name) return element.text
  for (const child of element.children) {
    const text = textOf(child, name)
    if (text !== undefined) return text
  }
  return undefined
}
