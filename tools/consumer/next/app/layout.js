/** The layout that Next asks for. */
export default function Layout({ children }) {
  return children
}
