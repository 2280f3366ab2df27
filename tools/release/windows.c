/* What only a program for Windows can do to another one; tools/release/test-windows runs it.

   windows hold FILE SHARE            opens a file so that others may read (1), write (2) or rename (4) it, or a sum of these, until its
                                      own input ends
   windows lock FILE                  locks a file until its own input ends
   windows interrupt MS WORD...       starts a command, sends it Ctrl-C after so many milliseconds, and prints its exit code; needs a console

   "ready" is printed once a file is open or locked. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static int wait_for_end(void) {
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) {}
    return 0;
}

static int fail(const char *what) {
    fprintf(stderr, "%s: error %lu\n", what, GetLastError());
    return 1;
}

int main(int count, char **words) {
    if (count == 4 && !strcmp(words[1], "hold")) {
        HANDLE file = CreateFileA(words[2], GENERIC_READ, atoi(words[3]), NULL, OPEN_EXISTING, 0, NULL);
        return file == INVALID_HANDLE_VALUE ? fail(words[2]) : wait_for_end();
    }
    if (count == 3 && !strcmp(words[1], "lock")) {
        OVERLAPPED start = {0};
        HANDLE file = CreateFileA(words[2], GENERIC_READ | GENERIC_WRITE, 7, NULL, OPEN_ALWAYS, 0, NULL);
        if (file == INVALID_HANDLE_VALUE || !LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK, 0, MAXDWORD, MAXDWORD, &start)) {
            return fail(words[2]);
        }
        return wait_for_end();
    }
    if (count > 3 && !strcmp(words[1], "interrupt")) {
        char line[8192] = "";
        for (int n = 3; n < count; n++) {
            if (strlen(line) + strlen(words[n]) + 4 > sizeof line) return fail("too many words");
            strcat(strcat(strcat(line, "\""), words[n]), "\" ");
        }
        STARTUPINFOA startup = {.cb = sizeof startup};
        PROCESS_INFORMATION process;
        DWORD code = 0;
        if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process)) return fail(line);
        Sleep(atoi(words[2]));
        /* All programs of a console get it; this one takes no notice. */
        SetConsoleCtrlHandler(NULL, TRUE);
        if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) return fail("Ctrl-C");
        if (WaitForSingleObject(process.hProcess, 60000)) return fail("the command goes on");
        GetExitCodeProcess(process.hProcess, &code);
        printf("exit code %lu\n", code);
        return 0;
    }
    return fail("see the top of windows.c");
}
