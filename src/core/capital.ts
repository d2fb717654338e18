/** Changes the first letter of a text. */

/** @returns the text with a capital at the beginning */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** @returns the text with a small letter at the beginning */
export function uncapitalized(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
