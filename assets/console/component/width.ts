/** Follows the width of an element or of the window. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** @returns a reference for an element that is always drawn, and its present width in pixels */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const measure = () => setWidth(measured.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}

/** Whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  const [media] = useState(() => matchMedia('(max-width: 599px)'))
  const [isNarrow, setNarrow] = useState(media.matches)
  useLayoutEffect(() => {
    const update = () => setNarrow(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [media])
  return isNarrow
}
