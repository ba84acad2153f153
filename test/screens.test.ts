/** The pictures of terminals on the pages are what the command shows today. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { captureScreens } from '../tools/screens/scenes.ts'

test('the pictures of the chat are what a terminal shows; npm run screens captures them again', async () => {
  const pictures = await captureScreens()
  expect([...pictures.keys()]).toEqual(['question', 'rewound', 'command'])
  for (const [name, picture] of pictures) {
    expect(readFileSync(join(import.meta.dirname, `../docs/guides/screens/chat-${name}.svg`), 'utf8')).toBe(picture)
  }
})
