/** React brings no types of its own, and a page of this size does without them. */
declare module 'react'
declare module 'react-dom/client'
