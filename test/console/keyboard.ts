/** Somebody who has no pointer: keys are counted, and what has the focus is to be seen. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

const maxTabs = 80

/** What is shown hears keys a moment later, in which nobody could press one. */
const nextFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

export class Keyboard {
  count = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: readonly string[]): Promise<void> {
    await this.#page.evaluate(nextFrames)
    for (const key of keys) await this.#press(key)
  }

  async #press(key: string): Promise<void> {
    this.count += 1
    await this.#page.keyboard.press(key)
    await this.#see()
  }

  async type(text: string): Promise<void> {
    this.count += text.length
    await this.#page.keyboard.type(text)
    await this.#see()
  }

  /** Goes on with Tab, and sees each stop on the way. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor()
    await this.#page.evaluate(nextFrames) // what it begins with may get the focus by itself
    const stops: string[] = []
    for (let tabs = 0; tabs < maxTabs; tabs++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.#press('Tab')
      stops.push(await this.#see())
    }
    assert.fail(`Tab never comes to ${target}: ${stops.join(', ')}`)
  }

  /** @returns what has the focus, which nothing has where a page has changed */
  async #see(): Promise<string> {
    const look = () => this.#page.evaluate<{ name: string; isSeen: boolean }>(focus)
    let { name, isSeen } = await look()
    if (!isSeen) {
      await this.#page.evaluate(nextFrames) // what is chosen may be drawn with the next frame
      ;({ name, isSeen } = await look())
    }
    assert.ok(isSeen, `the focus is not to be seen on ${name}`)
    return name
  }
}

/**
 * A ring of two pixels and more around what has the focus, around what it is the middle of, or around the option that it
 * chooses. The palette is nothing but a field and its options: there the caret is enough.
 */
const focus = `(() => {
  const hasRing = (element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\\)$/.test(outlineColor)
  }
  const element = document.activeElement
  const option = document.getElementById(element.getAttribute('aria-activedescendant') ?? '')
  const around = [element, element.parentElement, option, ...(element.labels ?? [])]
  const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)
  const isSeen = element === document.body || element.matches('.palette input')
  return { name, isSeen: isSeen || around.some((each) => each !== null && hasRing(each)) }
})()`
