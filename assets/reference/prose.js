/** Turns the small part of Markdown in descriptions into elements: paragraphs, lists, bold and code. */
import { element } from './dom.js'

/**
 * @param {string | undefined} text
 * @returns {HTMLElement[]}
 */
export function prose(text = '') {
  const blocks = text.split(/\n{2,}/).filter((block) => block !== '')
  return blocks.map((block) => {
    const lines = block.split('\n')
    if (!lines.every((line) => line.startsWith('- '))) return element('p', {}, ...inline(block))
    return element('ul', {}, ...lines.map((line) => element('li', {}, ...inline(line.slice(2)))))
  })
}

/**
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return element('code', {}, part.slice(1, -1))
    return part.startsWith('**') ? element('strong', {}, part.slice(2, -2)) : part
  })
}
