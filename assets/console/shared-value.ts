/** Values that modules keep outside of components, such as the brand, and that components show. */
import { useEffect, useState } from 'preact/hooks'

/**
 * @param listeners called by the module whenever its value is another one
 * @returns the present value; the component is drawn again with the next one
 */
export function useShared<T>(listeners: Set<() => void>, read: () => T): T {
  const [value, setValue] = useState(read)
  useEffect(() => {
    const update = () => setValue(read)
    update() // it may have changed since the first rendering
    listeners.add(update)
    return () => {
      listeners.delete(update)
    }
  }, [])
  return value
}
