import { readProblem } from '../../api/problem.ts'

/** Spec section 8: the server's words, else 'Invalid credentials'; 'Signin failed' when nothing answered. */
export function signInMessage(error: unknown): string {
  const problem = readProblem(error)
  return problem.status === 0 ? 'Signin failed' : (problem.detail ?? 'Invalid credentials')
}

/** Spec section 8: the server's words, else 'Signup failed'; an exception that is no answer is unexpected. */
export function signUpMessage(error: unknown): string {
  const problem = readProblem(error)
  return problem.status === 0 ? 'An unexpected error occurred' : (problem.detail ?? 'Signup failed')
}
