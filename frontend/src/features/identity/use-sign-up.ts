import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { readProblem } from '../../api/problem.ts'

/** Spec section 8: the server's words, else 'Signup failed'; an exception that is no answer is unexpected. */
export function signUpMessage(error: unknown): string {
  const problem = readProblem(error)
  return problem.status === 0 ? 'An unexpected error occurred' : (problem.detail ?? 'Signup failed')
}

export function useSignUp() {
  return useMutation(api.identity.signUp.mutationOptions())
}
